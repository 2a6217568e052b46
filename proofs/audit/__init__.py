"""The audit of prize tables: whether the rows agree with what is stated above them."""
