(* $ ocamlc -alert ++unsafe -c FILE *)
module Raw : sig
  val peek : int -> int
  [@@alert unsafe "Checks no bounds."]
end = struct
  let peek x = x
end

let y = Raw.peek 3
