(* What judges of problems are written with.  A judge is

     let judge ~input ~expected ~output = ...

   in a file of its own, with this module open.  It reads what the code printed with a
   [Reader.of_output], whose failures reject the output.  Whatever else it raises loses the
   output its case, or is the problem's fault where a good output makes it raise as well.

   Outputs are written by whoever wants a reward: nothing here takes memory for a number that
   was read before what it counts has been, or stack for what is long. *)

type verdict = { score : float; message : string }

let accept = { score = 1.; message = "" }
let reject message = { score = 0.; message }
let partial score message = { score; message }

(* What was read of the output is not what was asked for. *)
exception Rejected of string

(* What was read of the problem's own texts is not what the judge takes them for. *)
exception Misread of string

(* Rejects the output, with words as of [Printf.sprintf]. *)
let rejectf form = Printf.ksprintf (fun text -> raise (Rejected text)) form

module Reader = struct
  type t = { text : string; mutable at : int; failed : string -> exn }

  let of_output text = { text; at = 0; failed = (fun why -> Rejected why) }
  let of_problem text = { text; at = 0; failed = (fun why -> Misread why) }
  let fail t why = raise (t.failed why)
  let is_blank c = c = ' ' || c = '\n' || c = '\t' || c = '\r'

  let skip t =
    while t.at < String.length t.text && is_blank t.text.[t.at] do
      t.at <- t.at + 1
    done

  let at_end t =
    skip t;
    t.at >= String.length t.text

  (* Fails unless nothing but blanks is left. *)
  let finish t = if not (at_end t) then fail t "more than was asked for"

  (* The next text between blanks. *)
  let word t =
    if at_end t then fail t "it ends too early";
    let first = t.at in
    while t.at < String.length t.text && not (is_blank t.text.[t.at]) do
      t.at <- t.at + 1
    done;
    String.sub t.text first (t.at - first)

  (* The rest of the line, without its end. *)
  let line t =
    if t.at >= String.length t.text then fail t "it ends too early";
    let stop =
      match String.index_from_opt t.text t.at '\n' with
      | Some stop -> stop
      | None -> String.length t.text
    in
    let found = String.sub t.text t.at (stop - t.at) in
    t.at <- stop + 1;
    if found <> "" && found.[String.length found - 1] = '\r' then
      String.sub found 0 (String.length found - 1)
    else found

  let shown word = if String.length word > 40 then String.sub word 0 40 ^ "..." else word
  let is_digit c = '0' <= c && c <= '9'

  (* Whether some character is there from [first] on, and each of them is [fine]. *)
  let all fine text first =
    let rec go i = i >= String.length text || (fine text.[i] && go (i + 1)) in
    first < String.length text && go first

  (* OCaml reads 0x1F, 1_000 and nan, which no problem means. *)
  let int_of t word =
    let signed = word <> "" && (word.[0] = '-' || word.[0] = '+') in
    let digits = if signed && word.[0] = '+' then String.sub word 1 (String.length word - 1) else word in
    match int_of_string_opt digits with
    | Some found when all is_digit word (if signed then 1 else 0) -> found
    | _ -> fail t (Printf.sprintf "%S is no whole number" (shown word))

  let between t low high found show =
    (match low with
     | Some low when found < low -> fail t (show found ^ " is less than " ^ show low)
     | _ -> ());
    (match high with
     | Some high when found > high -> fail t (show found ^ " is more than " ^ show high)
     | _ -> ());
    found

  (* A whole number, from [low] to [high]. *)
  let int ?low ?high t = between t low high (int_of t (word t)) string_of_int

  let float_of t word =
    let fine c = is_digit c || c = '.' || c = '-' || c = '+' || c = 'e' || c = 'E' in
    match if all fine word 0 then float_of_string_opt word else None with
    | Some found when Float.abs found < infinity -> found
    | _ -> fail t (Printf.sprintf "%S is no number" (shown word))

  (* A finite number, from [low] to [high]. *)
  let float ?low ?high t = between t low high (float_of t (word t)) (Printf.sprintf "%g")

  (* So many of what a reader reads. *)
  let list count read t =
    let rec more left found =
      if left <= 0 then List.rev found else more (left - 1) (read t :: found)
    in
    more count []

  (* The same as an array. *)
  let array count read t = Array.of_list (list count read t)
end

(* Whether two numbers differ by no more than [absolute], or [relative] times the second. *)
let close ?(absolute = 1e-6) ?(relative = 1e-6) a b =
  let far = Float.abs (a -. b) in
  far <= absolute || far <= relative *. Float.abs b

(* Whether two lists have the same members, as often, in whichever order. *)
let same_members a b =
  List.compare_lengths a b = 0 && List.sort compare a = List.sort compare b

(* Whether a list has each of 1 to [n] once. *)
let is_permutation n list =
  List.compare_length_with list (max n 0) = 0
  &&
  (* The list is as long as that: it has paid for this. *)
  let seen = Bytes.make (max n 0) ' ' in
  let is_new i =
    1 <= i && i <= n && Bytes.get seen (i - 1) = ' '
    && (Bytes.set seen (i - 1) 'x'; true)
  in
  List.for_all is_new list

module Graph = struct
  (* Nodes are numbered from 1. *)
  type t = { nodes : int; edges : (int * int, unit) Hashtbl.t }

  let of_edges ?(directed = false) nodes edges =
    let found = Hashtbl.create 64 in
    List.iter
      (fun (a, b) ->
        Hashtbl.replace found (a, b) ();
        if not directed then Hashtbl.replace found (b, a) ())
      edges;
    { nodes; edges = found }

  let has_edge graph a b = Hashtbl.mem graph.edges (a, b)

  (* Whether each node has an edge to the one behind it. *)
  let rec is_path graph = function
    | a :: (b :: _ as rest) -> has_edge graph a b && is_path graph rest
    | _ -> true
end
