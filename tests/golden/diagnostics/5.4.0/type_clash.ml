let label n = "item " ^ n

let first = label 1
