"""Games in the languages of other solvers: VMT-LIB, MoXI, SMT-LIB Horn clauses."""
