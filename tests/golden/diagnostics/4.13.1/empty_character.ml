let blank = String.make 3 ''
