let mark word =
  word.[0] <- 'x'
