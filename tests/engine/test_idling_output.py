"""
Which programs judged on their output print nothing of what they read, by the parser.
"""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.model import CheckReport, StdioCase

READ = "let n = int_of_string (read_line ())\n"
# What does not reach standard output is no answer.
UNPRINTED = (
    READ + 'let () = if n > 2 then print_string "" else Printf.printf ""; print_int 0',
    READ + "let () = if n > 2 then flush stdout else flush_all (); print_int 0",
    READ + "let () = set_binary_mode_out stdout (n > 2); print_int 0",
    READ + "let () = (try seek_out stdout n with _ -> ()); print_int 0",
    READ + "let () = if n > 2 then close_out stdout; print_int 0",
    READ + "let show x = print_int x\nlet () = let _ = show in ignore n",
    READ + 'let show s x = print_string s; print_int x\nlet () = ignore (show "a")',
    READ + "let () = let out = lazy (print_int n) in ignore out",
    READ
    + "let () = let jobs = [ (fun () -> print_int n) ] in ignore jobs; print_int 0",
    READ
    + "let b = Buffer.create 9\nlet f = Format.formatter_of_buffer b\n"
    + "let () = Format.pp_print_int f n; print_int 0",
    READ
    + 'let () = Format.fprintf Format.str_formatter "%d" n\n'
    + "let () = ignore (Format.flush_str_formatter ())",
    READ + "let () = Format.set_margin n; Random.init n; print_int 0",
    READ + "let o = object method show = print_int n end\nlet () = ignore o",
    READ + "class c = object method show = print_int n end\nlet () = print_int 0",
    READ + "module F (X : sig end) = struct let () = print_int n end",
    READ + 'let () = Printf.printf "none"',
    "let () = prerr_endline (read_line ())",
    READ + "let () = prerr_int (n + 1); prerr_newline ()",
    READ + 'let () = Printf.eprintf "%d\\n" (n * 2)',
    READ + 'let () = Format.eprintf "%d@." (n * 2)',
    READ + 'let () = Printf.fprintf stderr "%d\\n" n',
    READ + 'let () = Format.fprintf Format.err_formatter "%d@." n',
    READ + "let () = output_string stderr (string_of_int n)",
    READ + "let log = stderr\nlet () = output_string log (string_of_int n)",
    READ
    + "let f = Format.formatter_of_out_channel stderr\n"
    + "let () = Format.pp_print_int f n",
    READ + 'let () = Printf.ifprintf stdout "%d\\n" n',
    READ + 'let () = Printf.ikfprintf ignore stdout "%d\\n" n',
    READ + 'let () = Format.ifprintf Format.std_formatter "%d@." n; print_int 0',
    READ + 'let () = if n > 0 then prerr_string "yes"; print_string "no"',
    READ + "let () = List.iter prerr_int [ n; n + 1 ]",
    # What is kept is not printed, nor is what nobody calls.
    "let total = ref 0\nlet () = total := read_int (); print_int 0",
    "let seen = Hashtbl.create 8\nlet () = Hashtbl.replace seen (read_line ()) 1",
    "let cells = Array.make 9 0\nlet () = cells.(0) <- read_int (); print_int 0",
    READ + "let show x = print_int x\nlet () = ignore n",
    "let main () = print_string (read_line ())",
    READ + 'let () = Printf.ksprintf ignore "%d" n',
    READ + "let show x = print_int x\nlet run () = show n\nlet () = print_int 0",
    "class log = object val mutable n = 0 method put x = n <- x end\n"
    "let () = let l = new log in l#put (read_int ()); print_int 0",
)
PRINTED = (
    READ + 'let () = Printf.printf "%s%d" "" n',
    READ + 'let () = print_string (String.concat "" [ string_of_int n ])',
    READ
    + "module F (X : sig end) = struct let () = print_int n end\nmodule M = F (struct end)",
    READ
    + "module F (X : sig end) = struct let () = print_int n end\ninclude F (struct end)",
    READ + "let o = object method show = print_int n end\nlet () = o#show",
    READ + "let o = object initializer print_int n end\nlet _ = o",
    READ
    + "let jobs = [ (fun () -> print_int n) ]\nlet () = List.iter (fun f -> f ()) jobs",
    READ + "let apply f x = f x\nlet () = ignore (apply print_int n)",
    READ + "let show a b = print_int (a + b)\nlet () = let f = show 1 in f n",
    READ + "let ( let* ) x f = f x\nlet () = let* y = n in print_int y",
    READ + "let p = fun () -> fun x -> print_int x\nlet () = ignore (p () n)",
    READ + 'let () = if n > 0 then Printf.printf "yes" else Printf.printf "no"',
    READ + 'let () = print_string (match n with 0 -> "none" | _ -> "some")',
    READ + 'let () = Printf.fprintf stdout "%d\\n" n',
    READ + 'let () = Printf.kfprintf ignore stdout "%d\\n" n',
    READ + 'let () = Format.printf "%d@." n',
    READ + "let () = Format.pp_print_int Format.std_formatter n",
    READ + 'let () = Printf.ksprintf print_string "%d" n',
    READ + 'let say = Printf.ksprintf print_string "%d"\nlet () = say n',
    READ + 'let say = Printf.printf "%d"\nlet () = say n',
    READ + 'let () = if n > 0 then prerr_string "odd"; print_int n',
    READ
    + "let out = if n > 0 then stdout else stderr\nlet () = output_string out (string_of_int n)",
    READ + 'let () = if n > 5 then Printf.fprintf stdout "x" else prerr_string "y"',
    READ
    + "let b = Buffer.create 9\nlet () = Buffer.add_string b (string_of_int n)\n"
    + "let () = Buffer.output_buffer stdout b",
    READ
    + 'let () = Format.fprintf Format.str_formatter "%d" n\n'
    + "let () = print_string (Format.flush_str_formatter ())",
    READ
    + "let b = Buffer.create 9\nlet f = Format.formatter_of_buffer b\n"
    + "let () = Format.pp_print_int f n; Format.pp_print_flush f ()\n"
    + "let () = print_string (Buffer.contents b)",
    "let total = ref 0\nlet () = total := read_int ()\n"
    "let () = at_exit (fun () -> print_int !total)",
    "let seen = Hashtbl.create 8\nlet () = Hashtbl.replace seen (read_line ()) 1\n"
    "let () = Hashtbl.iter (fun k _ -> print_string k) seen",
    "let main () = print_string (read_line ())\nlet () = main ()",
    "let main () = print_string (read_line ())\nlet _ = () |> main",
    "let show x = print_int x\nlet run f = f (read_int ())\nlet () = run show",
    "let show x = print_int x\nlet all = [ show ]\n"
    "let () = List.iter (fun f -> f (read_int ())) all",
    "type t = { go : int -> unit }\nlet show x = print_int x\n"
    "let () = let t = { go = show } in t.go (read_int ())",
    "let rec loop n = if n > 0 then begin print_int n; loop (n - 1) end\n"
    "let () = loop (read_int ())",
    "let show x = print_int x\nlet main = fun () -> show (read_int ())\nlet go = main\n"
    "let () = go ()",
    "class p = object method put x = print_int x end\n"
    "let () = let p = new p in p#put (read_int ())",
    "module M = struct let run () = print_int (read_int ()) end\nlet () = M.run ()",
    "module type S = sig val run : unit -> unit end\n"
    "module M = struct let run () = print_int (read_int ()) end\n"
    "let m = (module M : S)\nmodule N = (val m)\nlet () = N.run ()",
    "module type S = sig val show : int -> unit end\n"
    "module F (P : S) = struct let run () = P.show (read_int ()) end\n"
    "module R = F (struct let show x = print_int x end)\nlet () = R.run ()",
    'let rec a n = if n = 0 then print_string "a" else b (n - 1)\n'
    'and b n = if n = 0 then print_string "b" else a (n - 1)\n'
    "let () = a (read_int ())",
    "exception Done of int\n"
    "let run () = raise (Done (read_int ()))\n"
    "let () = try run () with Done n -> print_int n",
    "let lines = ref []\n"
    "let () = try while true do lines := read_line () :: !lines done with End_of_file -> ()\n"
    "let () = List.iter print_endline (List.rev !lines)",
    "let show = lazy (print_int (read_int ()))\nlet () = Lazy.force show",
    "let ( >> ) f g x = g (f x)\nlet () = (read_int >> print_int) ()",
    'let print_result = function Some n -> print_int n | None -> print_string "none"\n'
    "let solve () = int_of_string_opt (read_line ())\n"
    "let () = solve () |> print_result",
)


def test_what_does_not_reach_standard_output_is_no_answer(
    check: Callable[..., CheckReport],
) -> None:
    """
    A program judged on its output has to print something of what it reads, or as that decides.
    """

    def is_idle(code: str) -> bool:
        whole, *_ = check(code, (StdioCase(stdin="", stdout=""),)).parts or ()
        return whole.idle

    assert [] == [code for code in UNPRINTED if not is_idle(code)]
    assert [] == [code for code in PRINTED if is_idle(code)]
