"""What can be wrong with what somebody gives us: defined above all floors, for every floor."""

from ..errors import BadInput, PlayproofError, unknown

__all__ = ["BadInput", "PlayproofError", "unknown"]
