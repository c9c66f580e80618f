let a = 1 + "one"
let b = true + 2
let c = not 3
