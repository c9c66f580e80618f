/*
 * Zero-fills memory that Bytes.create and the like would return uninitialised, and wipes freed
 * buffers: they could still hold test data, which code could find without breaking a rule.
 */
#define CAML_INTERNALS
#include <malloc.h>
#include <string.h>

#include <caml/bigarray.h>
#include <caml/mlvalues.h>

#include "process_lock.h"

value caml_create_bytes(value length);
value caml_create_string(value length);
value caml_floatarray_create(value length);
value caml_make_float_vect(value length);
value caml_array_create_float(value length) __attribute__((weak)); /* from 5.3 on */
value caml_ba_create(value kind, value layout, value dimensions);

static value cleared(value block)
{
  ocaml_reward_charge(Bosize_val(block));
  /* Not an array of boxed floats, if the compiler has those. */
  if (Tag_val(block) >= No_scan_tag) memset((void *)block, 0, Bosize_val(block));
  return block;
}

/* The last word has the length, so only the bytes are cleared. */
static value cleared_bytes(value bytes, value length)
{
  ocaml_reward_charge((size_t)Long_val(length));
  memset(Bytes_val(bytes), 0, Long_val(length));
  return bytes;
}

value ocaml_reward_create_bytes(value length)
{
  return cleared_bytes(caml_create_bytes(length), length);
}

value ocaml_reward_create_string(value length)
{
  return cleared_bytes(caml_create_string(length), length);
}

value ocaml_reward_floatarray_create(value length)
{
  return cleared(caml_floatarray_create(length));
}

value ocaml_reward_make_float_vect(value length)
{
  return cleared(caml_make_float_vect(length));
}

value ocaml_reward_array_create_float(value length)
{
  return cleared(caml_array_create_float(length));
}

value ocaml_reward_ba_create(value kind, value layout, value dimensions)
{
  value made = caml_ba_create(kind, layout, dimensions);
  size_t size = caml_ba_byte_size(Caml_ba_array_val(made));
  ocaml_reward_charge(size);
  memset(Caml_ba_data_val(made), 0, size);
  return made;
}

/* Replaces the runtime's free (--wrap): wipes buffers that the program or a value was read from. */
void __real_caml_stat_free(void *block);

void __wrap_caml_stat_free(void *block)
{
  if (block != NULL) memset(block, 0, malloc_usable_size(block));
  __real_caml_stat_free(block);
}
