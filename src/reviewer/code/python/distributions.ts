/** Distributions with a single module of the same name, with `_` for `-`. */
const alike =
  `absl-py aiofiles aiohttp aiosqlite alembic altair amqp anyio apscheduler arrow asgiref asyncpg attrs authlib azure babel backoff bcrypt
black bleach blinker bokeh boto boto3 botocore bottle build cachetools cattrs celery certifi cffi chardet charset-normalizer cheroot
cherrypy click cloudpickle codecov colorama coverage croniter cryptography cssselect cython dash dask datasets defusedxml deprecated
diffusers dill django dnspython docker docutils dulwich ecdsa elasticsearch email-validator ephem execnet faiss-cpu faker falcon fastapi
fastavro filelock flake8 flask flatbuffers freezegun frozenlist fsspec gevent gensim geopandas gradio graphene greenlet gunicorn h11 h2
h5py hatchling httpcore httpx httptools huggingface-hub humanize hypercorn hyperlink hypothesis idna imageio importlib-metadata
importlib-resources incremental inflect inflection invoke ipdb ipykernel ipython isort itemadapter itemloaders itsdangerous jax jaxlib jedi jinja2 jmespath
joblib jsonpatch jsonpath-ng jsonschema jupyter keras kombu langchain langdetect librosa lightgbm limits loguru lxml lz4 mako markdown
markupsafe marshmallow matplotlib mccabe mistune mock more-itertools moto motor msgpack multidict mypy mypy-extensions mysqlclient nltk
notebook nox numba numexpr numpy oauthlib objgraph onnx onnxruntime openai openpyxl optuna orjson packaging pandas parameterized paramiko
parsel parso passlib pathspec patsy peewee pendulum pep8 pexpect phonenumbers pika pip-tools platformdirs playwright plotly pluggy ply
polars prettytable priority progressbar2 prometheus-client prompt-toolkit protego psutil psycopg psycopg2 ptyprocess pyarrow pyasn1
pyasn1-modules pycodestyle pycparser pycurl pydantic pydantic-core pydantic-settings pydispatcher pyflakes pygments pylint pymongo pymysql
pyparsing pyperclip pytest pytz pyupgrade quart rapidfuzz ray readme-renderer redis regex requests requests-mock requests-oauthlib
requests-toolbelt responses rich rsa ruff s3fs s3transfer sanic scipy scrapy seaborn selenium sentencepiece sentry-sdk shapely shellingham
simplejson six sniffio sortedcontainers soupsieve sphinx sqlalchemy sqlmodel sqlparse starlette statsmodels streamlit structlog sympy
tabulate tblib tenacity tensorboard tensorflow termcolor testfixtures textblob thinc threadpoolctl tiktoken tldextract tokenizers toml
tomli tomlkit toolz torch torchaudio torchvision tornado towncrier tox tqdm traitlets transformers treq trio twine twisted typeguard typer
typing-extensions tzdata tzlocal ujson unidecode urllib3 uvicorn uvloop virtualenv w3lib waitress watchdog watchfiles wcwidth weasyprint
websocket-client websockets werkzeug whitenoise wrapt wsproto wtforms xgboost xlrd xlsxwriter xmltodict yapf yarl zipp zope-interface
zstandard`
    .split(/\s+/)
    .map((name) => [name, [name.replaceAll('-', '_')]] as const);

/** Distributions whose modules have other names. An empty list: only commands, plug-ins or types. */
const others: Readonly<Record<string, readonly string[]>> = {
  'absl-py': ['absl'],
  attrs: ['attr', 'attrs'],
  autobahn: ['autobahn'],
  beautifulsoup4: ['bs4'],
  brotli: ['brotli'],
  brotlicffi: ['brotlicffi'],
  'charset-normalizer': ['charset_normalizer'],
  cython: ['Cython', 'cython', 'pyximport'],
  'django-cors-headers': ['corsheaders'],
  'django-environ': ['environ'],
  'django-extensions': ['django_extensions'],
  'django-filter': ['django_filters'],
  djangorestframework: ['rest_framework'],
  dnspython: ['dns'],
  'faiss-cpu': ['faiss'],
  'flask-cors': ['flask_cors'],
  'flask-login': ['flask_login'],
  'flask-sqlalchemy': ['flask_sqlalchemy'],
  gitpython: ['git'],
  'google-auth': ['google'],
  'google-cloud-storage': ['google'],
  grpcio: ['grpc'],
  'grpcio-tools': ['grpc_tools'],
  ipython: ['IPython'],
  'jsonpath-ng': ['jsonpath_ng'],
  'mypy-extensions': ['mypy_extensions'],
  mysqlclient: ['MySQLdb'],
  'opencv-python': ['cv2'],
  'opencv-python-headless': ['cv2'],
  pillow: ['PIL'],
  'pip-tools': ['piptools'],
  'pre-commit': [],
  progressbar2: ['progressbar'],
  protobuf: ['google'],
  'psycopg-binary': [],
  'psycopg2-binary': ['psycopg2'],
  pycryptodome: ['Crypto'],
  pydispatcher: ['pydispatch'],
  pyjwt: ['jwt'],
  pymongo: ['pymongo', 'bson', 'gridfs'],
  pyopenssl: ['OpenSSL'],
  pyserial: ['serial'],
  pyright: ['pyright'],
  'pytest-asyncio': ['pytest_asyncio'],
  'pytest-benchmark': ['pytest_benchmark'],
  'pytest-cov': ['pytest_cov'],
  'pytest-mock': ['pytest_mock'],
  'pytest-timeout': [],
  'pytest-xdist': ['xdist'],
  'python-dateutil': ['dateutil'],
  'python-dotenv': ['dotenv'],
  'python-multipart': ['multipart', 'python_multipart'],
  'python-slugify': ['slugify'],
  pywin32: ['win32api', 'win32con', 'pythoncom', 'pywintypes'],
  pyyaml: ['yaml'],
  pyzmq: ['zmq'],
  'ruamel-yaml': ['ruamel'],
  'scikit-image': ['skimage'],
  'scikit-learn': ['sklearn'],
  'sentry-sdk': ['sentry_sdk'],
  'service-identity': ['service_identity'],
  'sphinx-rtd-theme': ['sphinx_rtd_theme'],
  sqlalchemy: ['sqlalchemy'],
  twisted: ['twisted'],
  'websocket-client': ['websocket'],
  zope: ['zope'],
  'zope-interface': ['zope'],
};

const modules: ReadonlyMap<string, readonly string[]> = new Map([...alike, ...Object.entries(others)]);

/** The modules of a distribution; undefined if it is unknown. */
export function modulesOf(distribution: string): readonly string[] | undefined {
  // Case and separators do not matter in names of distributions.
  const name = distribution.toLowerCase().replaceAll(/[-_.]+/g, '-');
  if (/^types-|-stubs$/.test(name)) return [];
  return modules.get(name);
}
