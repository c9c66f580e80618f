/*
 * Code begins at the same depth of the stack in a stock program, where nothing is below it, and in a
 * child of the zygote, where the runner is: so it overflows the stack after as many steps.
 */
#define CAML_INTERNALS
#define CAML_NAME_SPACE
#include <string.h>

#include <caml/callback.h>
#include <caml/fail.h>
#include <caml/mlvalues.h>
#include <caml/version.h>
#if OCAML_VERSION >= 50000
#include <caml/fiber.h>
#define TOP (Caml_state->current_stack->sp)
/* Without the word that every stack begins with.  (ocaml/ocaml runtime/fiber.c, caml_alloc_stack) */
#define BOTTOM (Stack_high(Caml_state->current_stack) - 1)
#else
#include <caml/stacks.h>
#define TOP (Caml_state->extern_sp)
#define BOTTOM (Caml_state->stack_high)
#endif

#include "process_lock.h"

#define DEPTH 128  /* words, more than the runner has below the code */
#define CALLBACK 5 /* words of a call from C */

/* The stack grows down. */
static void fill(value *from, value *to)
{
  while (from < to) *from++ = Val_unit;
}

/* Calls a unit's code at that depth. */
value ocaml_reward_call(value code)
{
  ptrdiff_t depth = BOTTOM - TOP;
  value *lower = BOTTOM - DEPTH, result;
  fill(lower, TOP);
  TOP = lower;
  result = caml_callback_exn(code, Val_unit);
  TOP = BOTTOM - depth;
  if (Is_exception_result(result)) caml_raise(Extract_exception(result));
  return Val_unit;
}

/* Puts what is on the stack so much deeper. */
void ocaml_reward_deepen(void)
{
  ptrdiff_t depth = BOTTOM - TOP;
  value *lower = TOP - DEPTH - CALLBACK;
  memmove(lower, TOP, (size_t)depth * sizeof(value));
  fill(lower + depth, BOTTOM);
  TOP = lower;
}
