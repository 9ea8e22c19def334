// What a program of LLVM 19 says when it is asked.
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = 19;
  *minor = 1;
  *patch = 7;
}
