# 40 "template.mly"
let x : int =
# 7 "template.mly"
  "seven"
