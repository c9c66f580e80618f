module type FULL = sig
  val f : int -> int
  [@@deprecated "f is going away"]
end

module M : FULL = struct
  let f x = x
end

module N : sig
  val f : int -> int
end = M
