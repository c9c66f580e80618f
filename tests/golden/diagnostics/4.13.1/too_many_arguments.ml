let double x = 2 * x
let y =
  double 1
  double 2
