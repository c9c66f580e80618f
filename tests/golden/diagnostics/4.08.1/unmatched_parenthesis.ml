let total = List.fold_left (fun a b -> a + b 0 [1; 2; 3]

let next = 2
