"""What every client says of the games in the same words; names come as the client marks them up."""
