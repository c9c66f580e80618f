/*
 * Ends the compiler at once if stack or memory is exhausted or the runtime aborts.
 *
 * OCaml would raise Stack_overflow or Out_of_memory, possibly in the middle of an update of the
 * compiler's tables or of the heap, which cannot be relied upon after that.  The exit status
 * names the cause.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <caml/mlvalues.h>

#define OVERFLOWED 96 /* exit status: the stack was full */
#define EXHAUSTED 95  /* exit status: no memory was left */
#define ABORTED 94    /* exit status: the runtime gave up */

static void on_fault(int signal)
{
  (void)signal;
  _exit(OVERFLOWED);
}

/* A full stack is a fault; the handler needs a stack of its own. */
value ocaml_reward_end_on_overflow(value unit)
{
  static char spare[1 << 16];
  stack_t stack;
  struct sigaction action;
  memset(&stack, 0, sizeof stack);
  memset(&action, 0, sizeof action);
  stack.ss_sp = spare;
  stack.ss_size = sizeof spare;
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK;
  sigaltstack(&stack, NULL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
  return unit;
}

/* Replaces the runtime's function (--wrap). */
void __wrap_caml_raise_out_of_memory(void)
{
  _exit(EXHAUSTED);
}

/* The runtime aborts if it cannot raise. libc's abort sends signals, which the filter kills. */
__attribute__((noreturn)) void __wrap_abort(void)
{
  _exit(ABORTED);
}

/* OCaml 5 grows the stack itself and raises if this fails. */
int __real_caml_try_realloc_stack(uintnat required) __attribute__((weak));

int __wrap_caml_try_realloc_stack(uintnat required)
{
  if (!__real_caml_try_realloc_stack(required)) _exit(OVERFLOWED);
  return 1;
}

value ocaml_reward_leave(value status)
{
  _exit(Int_val(status));
}
