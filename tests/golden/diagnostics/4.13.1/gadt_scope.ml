let minimal : type a. 'a -> a = fun x -> x
