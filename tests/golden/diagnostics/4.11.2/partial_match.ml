type shape = Circle of float | Square of float | Point

let area = function
  | Circle r -> 3.14 *. r *. r
  | Square a -> a *. a
