let price = 3 € 4
