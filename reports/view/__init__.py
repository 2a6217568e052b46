"""The viewer: a Play step by step, drawn, as one HTML file that needs nothing else."""

from .film import Film, Frame
from .page import page
from .played import film_of_play, film_of_script

__all__ = ["Film", "Frame", "film_of_play", "film_of_script", "page"]
