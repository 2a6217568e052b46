"""Writing files whole or not at all: defined above all floors, for every floor."""

from ..files import output_folder, write_whole

__all__ = ["output_folder", "write_whole"]
