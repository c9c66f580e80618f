/*
 * Primitives that have the runtime call the code at a moment of its own (table.h names
 * them): they take what they are given, and it is never called.
 *
 * Such code would run in the middle of the tests: between two looks at one value, say, which
 * it could change for the second.  OCaml promises no moment for any of these calls.
 */
#define CAML_INTERNALS
#include <caml/fail.h>
#include <caml/mlvalues.h>

value ocaml_reward_final_register(value function, value v)
{
  (void)function;
  if (!Is_block(v)) caml_invalid_argument("Gc.finalise");
  return Val_unit;
}

value ocaml_reward_final_register_called_without_value(value function, value v)
{
  (void)function;
  if (!Is_block(v)) caml_invalid_argument("Gc.finalise_last");
  return Val_unit;
}

value ocaml_reward_memprof_start(value rate, value size, value tracker)
{
  (void)rate;
  (void)size;
  (void)tracker;
  return Val_unit;
}

value ocaml_reward_memprof_stop(value unit)
{
  return unit;
}

value ocaml_reward_memprof_discard(value profile)
{
  (void)profile;
  return Val_unit;
}
