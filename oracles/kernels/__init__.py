"""The rules compiled to machine code, and logs judged by them in bulk."""
