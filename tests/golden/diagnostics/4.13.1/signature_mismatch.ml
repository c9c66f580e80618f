module type STACK = sig
  type 'a t
  val empty : 'a t
  val push : 'a -> 'a t -> 'a t
end

module Stack : STACK = struct
  type 'a t = 'a list
  let empty = []
  let push items x = x :: items
end
