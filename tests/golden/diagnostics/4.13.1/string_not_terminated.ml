let greet name = "hello, ^ name
let b = 2
