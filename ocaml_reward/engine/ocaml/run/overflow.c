/*
 * A compiler whose stack or heap has run out, or whose runtime gives up, ends at once.
 *
 * OCaml would raise Stack_overflow or Out_of_memory wherever it stands, also in the middle of
 * an update of the compiler's tables or of the heap itself, and what goes on with those is
 * not to be relied upon: whoever waits is told by the exit status instead.
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

/* From here on.  A full stack is met as a fault, and the handler needs a stack of its own. */
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

/* The linker leads the runtime's own calls here. */
void __wrap_caml_raise_out_of_memory(void)
{
  _exit(EXHAUSTED);
}

/* How the runtime ends for what it cannot raise: no memory in the middle of a collection, say.
 * libc's own takes signals, which a lock refuses: the process would be killed for that. */
__attribute__((noreturn)) void __wrap_abort(void)
{
  _exit(ABORTED);
}

/* OCaml 5 grows the stack itself, and raises where this says that it could not. */
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
