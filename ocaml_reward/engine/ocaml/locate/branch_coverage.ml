(* Instruments branches: each reports when it is entered. *)

open Parsetree

(* The most branches. *)
let most = 256

(* A call that reports that the branch with this number is entered. *)
let went number =
  Syntax.call (Syntax.value (Syntax.within Syntax.harness "went")) [ Syntax.int number ]

let is_unreachable e = match e.pexp_desc with Pexp_unreachable -> true | _ -> false

(* The code with instrumented branches, and their locations in the order of their numbers: cases and
   both sides of [if], inside functions.  Not the right side of [&&] and [||]: a wrong operator
   would be blamed on it. *)
let watched structure =
  let places = ref [] and count = ref 0 in
  (* Outside functions, code runs only at load time, and a sequence would make a type less
     general. *)
  let inside = ref false in
  let branch (self : Ast_mapper.mapper) e =
    if !inside && !count < most && not (is_unreachable e) then begin
      let number = !count in
      incr count;
      places := e.pexp_loc :: !places;
      let e = self.expr self e in
      (* Before the branch, so that tail calls stay tail calls. *)
      Ast_helper.Exp.sequence ~loc:e.pexp_loc (went number) e
    end
    else self.expr self e
  in
  let entering f =
    let before = !inside in
    inside := true;
    let result = f () in
    inside := before;
    result
  in
  let case (self : Ast_mapper.mapper) c =
    let pc_lhs = self.pat self c.pc_lhs in
    let pc_guard = Option.map (self.expr self) c.pc_guard in
    { pc_lhs; pc_guard; pc_rhs = branch self c.pc_rhs }
  in
  let expr (self : Ast_mapper.mapper) e =
    match e.pexp_desc with
    | _ when (not !inside) && Function_compat.is_function e ->
      entering (fun () -> Visit.mapper.expr self e)
    | Pexp_ifthenelse (test, yes, no) ->
      let test = self.expr self test in
      let yes = branch self yes in
      let no = Option.map (branch self) no in
      { e with pexp_desc = Pexp_ifthenelse (test, yes, no) }
    | _ -> Visit.mapper.expr self e
  in
  let structure = Visit.map structure { Visit.mapper with expr; case } in
  (structure, List.rev !places)
