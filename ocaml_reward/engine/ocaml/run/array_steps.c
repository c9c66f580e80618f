/*
 * Functions of the library that make arrays count as steps, as those that make strings do
 * (zero_memory.c): code that loops over them is ended by its steps and not by the clock.
 */
#include <stddef.h>

#include <caml/mlvalues.h>

#include "process_lock.h"

value caml_make_vect(value length, value first) __attribute__((weak)); /* named otherwise from 5.3 on */
value caml_array_make(value length, value first) __attribute__((weak));
value caml_array_append(value one, value other);
value caml_array_sub(value array, value from, value length);
value caml_array_concat(value arrays);

static value charged(value array)
{
  ocaml_reward_charge(Bosize_val(array));
  return array;
}

value ocaml_reward_make_vect(value length, value first)
{
  return charged(caml_make_vect(length, first));
}

value ocaml_reward_array_make(value length, value first)
{
  return charged(caml_array_make(length, first));
}

value ocaml_reward_array_append(value one, value other)
{
  return charged(caml_array_append(one, other));
}

value ocaml_reward_array_sub(value array, value from, value length)
{
  return charged(caml_array_sub(array, from, length));
}

value ocaml_reward_array_concat(value arrays)
{
  return charged(caml_array_concat(arrays));
}
