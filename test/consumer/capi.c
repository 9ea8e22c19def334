/* A C program that links with the flags of fuser_capi.pc: a bad program's error goes to the output.
 */
#include "fuser-c/Fuser.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  fuser_device device;
  fuser_program program;
  const char *text = "module {}";
  fuser_error error = fuser_device_create("host", 0, &device);
  if (error)
    return 1;
  error = fuser_program_create(device, text, strlen(text), NULL, &program);
  if (!error)
    return 1;
  printf("version %d: %s: %s\n", fuser_api_version(), fuser_error_kind(error),
         fuser_error_message(error));
  fuser_error_destroy(error);
  fuser_device_destroy(device);
  return 0;
}
