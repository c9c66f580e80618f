let cache = ref []
