type expr = Num of int | Sum of expr * expr

let rec eval (e : expr) : int =
  match e with
  | Num n -> n
  | Sum (a, b) -> eval a + eval b
  | Prod (a, b) -> eval a * eval b
