let double x = 2 * x

let y = double 1
    2
