/*
 * Replacements in the runtime's table of primitives, which is compiled with this header
 * (sources.py); other callers keep the originals.
 */

/* zero_memory.c */
#define caml_create_bytes ocaml_reward_create_bytes
#define caml_create_string ocaml_reward_create_string
#define caml_floatarray_create ocaml_reward_floatarray_create
#define caml_make_float_vect ocaml_reward_make_float_vect
#define caml_array_create_float ocaml_reward_array_create_float
#define caml_ba_create ocaml_reward_ba_create

/* array_steps.c */
#define caml_make_vect ocaml_reward_make_vect
#define caml_array_make ocaml_reward_array_make
#define caml_array_append ocaml_reward_array_append
#define caml_array_sub ocaml_reward_array_sub
#define caml_array_concat ocaml_reward_array_concat

/* fixed_environment.c */
#define caml_hash ocaml_reward_hash
#define caml_install_signal_handler ocaml_reward_install_signal_handler
#define caml_sys_executable_name ocaml_reward_sys_executable_name
#define caml_sys_random_seed ocaml_reward_sys_random_seed

/* no_finalisers.c */
#define caml_final_register ocaml_reward_final_register
#define caml_final_register_called_without_value \
  ocaml_reward_final_register_called_without_value
#define caml_memprof_start ocaml_reward_memprof_start
#define caml_memprof_stop ocaml_reward_memprof_stop
#define caml_memprof_discard ocaml_reward_memprof_discard
