/*
 * Disables Gc.finalise, Gc alarms and memprof callbacks: they would run the code under test in
 * the middle of a check, where it could change a value between two uses.
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
