let old x = x
[@@deprecated "Use [fresh] instead.\nIt is faster."]

module Api : sig
  val old : int -> int
  [@@deprecated "Use [fresh] instead.\nIt is faster."]
end = struct
  let old x = x
end

let y = Api.old 3
