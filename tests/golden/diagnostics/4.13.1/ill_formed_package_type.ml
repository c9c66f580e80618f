module type S = sig type t end
let f (module M : S with type t := int) = ()
