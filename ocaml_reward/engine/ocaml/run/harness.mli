(* Runs numbered checks and reports each one on its own.

   This unit is linked before the code and compiled against nothing of it, so every name
   here is the standard library's.  Its own unit name cannot be written in OCaml source
   (see sources.py), which keeps the code under test from calling it. *)

(** Reports that a phase has ended, with what there is to say of it. *)
val leave : string -> string -> unit

(** Ends the process at once: nothing that the code left in [at_exit] runs. *)
val finish : unit -> unit

(** An assertion that says why it does not hold; the code cannot name this exception. *)
exception Rejected of string

(** Takes what not to run ([c3] is a check, [g0] a statement) and what to run with a small stack
    ([s3]), names with commas between them; whoever starts the program says so before the code's
    own first line. *)
val skip : string -> unit

(** An exception as text, whatever its printer does. *)
val describe : exn -> string

(** [Printexc] as the tests have it: with printers of their own, behind which the code's count as
    long as they do not make an exception look like another. *)
module Printers : sig
  (** Adds one. *)
  val register : (exn -> string option) -> unit

  (** An exception as they print it. *)
  val to_string : exn -> string
end

(** What the tests print with goes to a channel of their own; what is said there in a check is
    reported at its end. *)
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

(** The tests' own [exit].  With 0 it ends them, whoever catches what it raises: what comes
    later has not run. *)
val exit : int -> 'a

(** What [exit] is inside of functions that the tests hand to others; see exits.ml. *)
module In_callback : sig
  val exit : int -> 'a
end

(** Raises an exception, and with it fails the current check, whoever catches it. *)
val deny : exn -> 'a

(** Of an exception that the tests catch, and that is to be no more than what they make of it. *)
val forgive : exn -> unit

(** An assertion on this line inside of a check, which fails it where it does not hold. *)
val demand : int -> bool -> unit

(** A copy of a value that a comparison cannot tell from it, which no code has a hand on.
    What is huge or goes round in circles is left as it is. *)
val copied : 'a -> 'a

(** From here on what the functions below answer is wrong, as whoever starts the program has it
    among the names for {!skip}: they raise inside of checks ([wr]), answer what {!changed} does
    ([wc]), or always the same immediate value ([w0], [w1]). *)
val begin_lying : unit -> unit

(** Is an answer to be wrong, here? *)
val lies : unit -> bool

(** What is answered then, by the function of this number. *)
val lie : int -> 'a

(** Likewise, but it never raises. *)
val anything : int -> 'a

(** What a function of the reference answers, with something of it changed; some value where
    that raises. *)
val changed : (unit -> 'a) -> 'a

(** Says of the current check that the tests have caught an exception in it. *)
val note_caught : unit -> unit

(** Another value than this, of its type where that can be. *)
val constant : 'a -> 'a

(** The check that runs, by its number. *)
val current : int ref

(** The value of an expression, or what it raises, leaves the process by this number: whether
    it is the right one is decided where no code has ever run. *)
val send_value : int -> (unit -> 'a) -> unit

(** Likewise at any length. *)
val send_whole_value : int -> (unit -> 'a) -> unit

(** Says of which shapes (see value_shape.ml) a value is that is handed out by this number;
    [lnot number] is for what the code has handed out by it. *)
val shaped : int -> string -> unit

(** A boolean assertion, as the check of this number. *)
val check : int -> (unit -> bool) -> unit

(** A statement that asserts by raising: it passes when it returns, or leaves by [exit 0]. *)
val run : int -> (unit -> 'a) -> unit

(** What is no statement is the check of this number from here, *)
val begins : int -> unit

(** to here.  Where it raises, nothing behind it is reached, as in any program. *)
val ends : int -> unit

(** A statement that only itself ends by [exit], as OUnit2 runs each case in a process. *)
val check_case : int -> (unit -> unit) -> unit

(** Where code does not type: reports that the phase has met a hole, whoever catches what this
    raises. *)
val hole : unit -> unit

(** Reports a hole in what is not even there, and goes on. *)
val taint : unit -> unit

(** A statement of code with holes, which goes no further than to one. *)
val statement : (unit -> 'a) -> unit

(** Reports that the current check enters a branch of the code, by its number below 256; said
    once a check. *)
val went : int -> unit

(** One top-level statement of the tests, by its number, with the first and the last of the
    checks in it. *)
val guard : int -> int -> int -> (unit -> unit) -> unit

(** A definition that the rest of the tests needs: where it raises, they end. *)
val setup : (unit -> 'a) -> 'a
