# assemble.sh PTXAS FOLDER SCRATCH: compiles each kernel of FOLDER for each
# architecture and prints what ptxas says of its resources. A kernel may name the
# first architecture that has what it uses, `// FIRST-CHIP: 90`, the last one for
# which the assembler uses no stack, `// LAST-CHIP: 100`, or the only one,
# `// ONLY-CHIP: sm_90a`. Warnings are printed as well.
set -eu
ptxas=$1 folder=$2 scratch=$3
mkdir -p "$scratch"
count=0
for chip in sm_80 sm_90 sm_90a sm_100a sm_120; do
  number=$(echo "$chip" | tr -cd 0-9)
  for kernel in "$folder"/*.mlir; do
    first=$(sed -n 's,^// FIRST-CHIP: ,,p' "$kernel")
    only=$(sed -n 's,^// ONLY-CHIP: ,,p' "$kernel")
    [ "$chip" = "${only:-$chip}" ] || continue
    last=$(sed -n 's,^// LAST-CHIP: ,,p' "$kernel")
    [ "$number" -ge "${first:-0}" ] && [ "$number" -le "${last:-999}" ] || continue
    name=$(basename "$kernel" .mlir)-$chip
    fuser-opt "$kernel" --fuser-emit-ptx="chip=$chip output=$scratch/$name.ptx" -o /dev/null
    "$ptxas" -v -arch=$chip "$scratch/$name.ptx" -o "$scratch/$name.cubin" 2>&1
    count=$((count + 1))
  done
done
echo "$count kernels assembled"
