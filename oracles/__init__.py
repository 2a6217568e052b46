"""What a build must do: targets, synthesis, scripts."""
