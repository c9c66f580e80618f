type t = A | B
type t = C
