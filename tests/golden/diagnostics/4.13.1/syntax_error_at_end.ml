let rec count n =
  if n = 0 then 0 else
