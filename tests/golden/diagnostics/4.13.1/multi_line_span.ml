let pick n : string =
  (fun a ->
    a +
    n)
