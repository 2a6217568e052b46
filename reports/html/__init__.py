"""The proof report: one HTML file a game, from what a run of ``prove --out`` wrote."""
