(* Runs numbered checks and reports each one.  This unit is linked before the code.  Its name
   cannot be written in OCaml source, so the code cannot call it. *)

(** Reports the end of a phase. *)
val leave : string -> string -> unit

(** Ends the process without [at_exit]. *)
val finish : unit -> unit

(** A failed assertion with a reason; the code cannot name it. *)
exception Rejected of string

(** Sets what to skip, separated by commas ([c3]: a check, [g0]: a statement), and which checks
    run with a small stack ([s3]).  Called before the code runs. *)
val skip : string -> unit

(** The text of an exception. *)
val describe : exn -> string

(** The tests' [Printexc].  The code's printers apply after the tests', unless they make two
    exceptions look alike. *)
module Printers : sig
  val register : (exn -> string option) -> unit

  val to_string : exn -> string
end

(** The tests' output, reported at the end of each check. *)
module Test_output : sig
  val stdout : out_channel
  val formatter : Format.formatter
  val print_char : char -> unit
  val print_string : string -> unit
  val print_bytes : bytes -> unit
  val print_int : int -> unit
  val print_float : float -> unit
  val print_newline : unit -> unit
  val print_endline : string -> unit
  val printf : ('a, out_channel, unit) format -> 'a
end

(** The tests' own [exit].  After [exit 0] nothing more runs, even if it is caught. *)
val exit : int -> 'a

(** [exit] in functions that the code may call; see exits.ml. *)
module In_callback : sig
  val exit : int -> 'a
end

(** Raises an exception that fails the current check, even if it is caught. *)
val deny : exn -> 'a

(** Undoes [deny] for an exception that the tests handle. *)
val forgive : exn -> unit

(** An assertion inside a check, with its line. *)
val demand : int -> bool -> unit

(** A deep copy of a value; the original if it is huge or cyclic. *)
val copied : 'a -> 'a

(** From now on functions return wrong answers, by the names given to {!skip}: they raise in
    checks ([wr]), change the answer ([wc]), or return a constant ([w0], [w1]). *)
val begin_lying : unit -> unit

(** Whether answers are wrong here. *)
val lies : unit -> bool

(** The wrong answer of a function, by number. *)
val lie : int -> 'a

val anything : int -> 'a

(** The answer with a part changed; some value if it raises. *)
val changed : (unit -> 'a) -> 'a

(** Notes that the tests have caught an exception. *)
val note_caught : unit -> unit

(** A different value. *)
val constant : 'a -> 'a

(** The number of the current check. *)
val current : int ref

(** Sends the value or exception of an expression, by its slot. *)
val send_value : int -> (unit -> 'a) -> unit

(** At any length. *)
val send_whole_value : int -> (unit -> 'a) -> unit

(** Reports the shapes (value_shape.ml) of a sent value; [lnot slot]: of a value returned by the
    code. *)
val shaped : int -> string -> unit

(** A boolean check. *)
val check : int -> (unit -> bool) -> unit

(** A check that passes if it returns, or exits with 0. *)
val run : int -> (unit -> 'a) -> unit

(** The check of this number is what runs from [begins] to [ends]. *)
val begins : int -> unit

val ends : int -> unit

(** A check whose [exit] only ends itself, as OUnit2 runs each case in a process. *)
val check_case : int -> (unit -> unit) -> unit

(** Reports that a hole was reached, and raises. *)
val hole : unit -> unit

(** Reports a hole, and continues. *)
val taint : unit -> unit

(** Runs a statement of code with holes up to the first hole. *)
val statement : (unit -> 'a) -> unit

(** Reports that a branch (below 256) was entered, once per check. *)
val went : int -> unit

(** A top-level statement: its number, its first and last check. *)
val guard : int -> int -> int -> (unit -> unit) -> unit

(** A definition; if it raises, the tests end. *)
val setup : (unit -> 'a) -> 'a
