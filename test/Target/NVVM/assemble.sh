# assemble.sh PTXAS FOLDER SCRATCH: compiles each kernel of FOLDER for each
# architecture and prints what ptxas says of its resources.
set -eu
ptxas=$1 folder=$2 scratch=$3
mkdir -p "$scratch"
count=0
for chip in sm_80 sm_90 sm_90a sm_100a sm_120; do
  for kernel in "$folder"/*.mlir; do
    name=$(basename "$kernel" .mlir)-$chip
    fuser-opt "$kernel" --fuser-emit-ptx="chip=$chip output=$scratch/$name.ptx" -o /dev/null
    "$ptxas" -v -arch=$chip "$scratch/$name.ptx" -o "$scratch/$name.cubin" 2>&1
    count=$((count + 1))
  done
done
echo "$count kernels assembled"
