let size items = List.lenght items
