let f ~type:x = x
