val number : int
