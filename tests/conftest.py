from tests.redis_server import mortal_redis, redis_server, shared_redis

__all__ = ["mortal_redis", "redis_server", "shared_redis"]
