"""Any VMT-LIB 2 file: read it, decide its properties, and re-check what was decided."""
