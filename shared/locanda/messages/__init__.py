"""Types of the API's requests and responses. The server, its OpenAPI document and the clients are based on them."""

from locanda.messages.advice import *
from locanda.messages.catalogue import *
from locanda.messages.lessons import *
from locanda.messages.problems import *
from locanda.messages.proofs import *
from locanda.messages.remarks import *
from locanda.messages.rules import *
from locanda.messages.subscriptions import *
from locanda.messages.tables import *
from locanda.messages.values import *
from locanda.messages.words import *
