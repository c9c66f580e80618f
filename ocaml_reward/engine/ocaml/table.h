/*
 * What the runtime's table of primitives offers in place of OCaml's own: the table is
 * compiled with these names (sources.py), all other callers keep the originals.
 */

/* clear.c: nothing is handed out uninitialised. */
#define caml_create_bytes ocaml_reward_create_bytes
#define caml_create_string ocaml_reward_create_string
#define caml_floatarray_create ocaml_reward_floatarray_create
#define caml_make_float_vect ocaml_reward_make_float_vect
#define caml_array_create_float ocaml_reward_array_create_float
#define caml_ba_create ocaml_reward_ba_create

/* same.c: nothing that differs from run to run. */
#define caml_hash ocaml_reward_hash
#define caml_sys_executable_name ocaml_reward_sys_executable_name
#define caml_sys_random_seed ocaml_reward_sys_random_seed
