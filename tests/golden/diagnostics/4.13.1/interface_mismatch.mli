val add : int -> int -> int
val name : string
val missing : bool
