let a = "fine \d"
let b = "\300"
