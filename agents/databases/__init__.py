"""Public databases: what each of them says of a target, a drug or a disease, as records that can be cited."""
